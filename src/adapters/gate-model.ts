// The model that is asked at the gate of topics, chosen as the one that reads is: by a person, never by a file alone.

import { defined, MemoryError } from '../base/errors.ts';
import type { TextModel } from '../base/ports.ts';
import { type GateModel, gateWaitMs } from '../core/handed/topics.ts';
import type { Configuration } from '../store/records/configuration.ts';
import { chooseModel } from './configured-model.ts';

/** Makes a function that gives the model of a configuration, opened once; if there is none, that is reported, and the rule decides. */
export function gateModels(given: TextModel | null | undefined): (configuration: Configuration) => Promise<GateModel> {
  const opened = new Map<string, Promise<GateModel>>();
  return async ({ watchers, private: privatePaths }) => {
    const timeoutSeconds = gateWaitMs / 1000;
    const settings = watchers.gateModel === undefined ? {} : { name: watchers.gateModel };
    const { choice, note } = chooseModel({ ...settings, timeoutSeconds, retries: 0 }, undefined, given);
    if (choice === null) return { model: null, ...defined({ note }) };
    let opening = opened.get(choice.name);
    if (opening === undefined) {
      opening = open(choice);
      opened.set(choice.name, opening);
    }
    const found = await opening;
    // Messages and topics may be about what is private.
    if (privatePaths.length === 0 || found.model?.isRemote === false) return found;
    return { model: null, note: `${choice.name} would be told what is private` };
  };
}

async function open(choice: { readonly name: string; open(): Promise<TextModel> }): Promise<GateModel> {
  try {
    return { model: await choice.open() };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { model: null, note: error.message };
  }
}
