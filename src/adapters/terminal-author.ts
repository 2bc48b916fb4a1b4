// Finds the author of what is written from a terminal as git does: GIT_AUTHOR_NAME and _EMAIL, the repository's configuration, the user's.

import { orElse } from '../base/errors.ts';
import { checkIdentity, type Identity } from '../store/guard/identity.ts';
import { userConfiguration } from './user-settings.ts';

/** Gives the author of this terminal, where `configured` is what the repository's configuration names; null if nothing names one. */
export function authorOf(configured: Identity | null): Identity | null {
  const { env } = process;
  let settings: ReturnType<typeof userConfiguration> | undefined;
  const halfOf = (key: keyof Identity, given: string | undefined): string => {
    if (given?.trim()) return given.trim();
    if (configured !== null) return configured[key];
    // A damaged file names nobody; git itself complains of it.
    settings ??= orElse(
      () => userConfiguration(env),
      () => [],
    );
    return (
      settings(`user.${key}`)
        .findLast((value) => value.trim() !== '')
        ?.trim() ?? ''
    );
  };
  const author = { name: halfOf('name', env.GIT_AUTHOR_NAME), email: halfOf('email', env.GIT_AUTHOR_EMAIL) };
  return orElse(() => checkIdentity(author), null);
}
