// The floor: what one call of the engine wrote to the disk, recorded and written again plainly. That is the same bytes, files, names and
// syncs, with the hashing and deflating of the same objects, and without everything else.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { git } from './repositories.mjs';

const { O_WRONLY, O_RDWR } = fs.constants;

function isReading(flags) {
  return typeof flags === 'number' ? (flags & (O_WRONLY | O_RDWR)) === 0 : (flags ?? 'r') === 'r';
}

/** A file system that notes what is written while `record` runs. */
export function recordingFileSystem() {
  let events = null;
  let calls = null;
  const open = new Map();
  // A folder that is entered by its descriptor has the name it was opened by.
  const named = (file) => {
    const [, descriptor, rest] = /^\/proc\/self\/fd\/(\d+)(\/.*)$/.exec(file) ?? [];
    const folder = open.get(Number(descriptor));
    return folder ? `${folder.file}${rest}` : file;
  };
  const wrapped = { ...fs };
  for (const [name, original] of Object.entries(fs)) {
    if (typeof original !== 'function' || !name.endsWith('Sync')) continue;
    wrapped[name] = (...parameters) => {
      if (calls) calls[name] = (calls[name] ?? 0) + 1;
      return original(...parameters);
    };
  }
  const note = (event) => events?.push(event);
  const count = (name) => {
    if (calls) calls[name] = (calls[name] ?? 0) + 1;
  };
  Object.assign(wrapped, {
    openSync(file, flags, mode) {
      count('openSync');
      const descriptor = fs.openSync(file, flags, mode);
      const isRead = isReading(flags);
      open.set(descriptor, { file: named(file), isRead });
      if (!isRead) note({ kind: 'open', file: named(file), flags, mode });
      return descriptor;
    },
    closeSync(descriptor) {
      count('closeSync');
      const { file, isRead } = open.get(descriptor) ?? { isRead: true };
      if (!isRead) note({ kind: 'close', file });
      open.delete(descriptor);
      fs.closeSync(descriptor);
    },
    writeSync(descriptor, bytes, offset = 0, length = bytes.length - offset, position) {
      count('writeSync');
      const whole = Buffer.from(bytes.subarray(offset, offset + length));
      note({ kind: 'write', file: open.get(descriptor).file, bytes: whole, isPlaced: typeof position === 'number' });
      return fs.writeSync(descriptor, bytes, offset, length, position);
    },
    fsyncSync(descriptor) {
      count('fsyncSync');
      const { file, isRead } = open.get(descriptor);
      note(isRead ? { kind: 'syncDirectory', file } : { kind: 'sync', file });
      fs.fsyncSync(descriptor);
    },
    fchmodSync(descriptor, mode) {
      count('fchmodSync');
      note({ kind: 'mode', file: open.get(descriptor).file, mode });
      fs.fchmodSync(descriptor, mode);
    },
    renameSync(from, to) {
      count('renameSync');
      note({ kind: 'rename', file: named(from), to: named(to) });
      fs.renameSync(from, to);
    },
    linkSync(from, to) {
      count('linkSync');
      note({ kind: 'link', file: named(from), to: named(to) });
      fs.linkSync(from, to);
    },
    unlinkSync(file) {
      count('unlinkSync');
      fs.unlinkSync(file);
      note({ kind: 'unlink', file: named(file) });
    },
  });
  return {
    fs: wrapped,
    async record(action) {
      events = [];
      calls = {};
      try {
        await action();
        return { events, calls };
      } finally {
        events = null;
        calls = null;
      }
    },
  };
}

/** Says what was written, in one line. */
export function describe({ events, calls }) {
  const count = (kind) => events.filter((event) => event.kind === kind).length;
  const bytes = events.reduce((sum, event) => sum + (event.bytes?.length ?? 0), 0);
  const files = new Set(events.filter((event) => event.kind === 'open').map((event) => event.file)).size;
  const all = Object.values(calls).reduce((sum, number) => sum + number, 0);
  return `${files} files, ${bytes} bytes, ${count('sync')} file syncs, ${count('syncDirectory')} directory syncs, ${count('rename')} renames, ${count('link')} links, ${count('unlink')} removals; ${all} calls of the file system in all`;
}

/** Reads the objects that came into being between two commits. */
export function newObjects(repository, from, to) {
  const list = git(repository, ['rev-list', '--objects', '--no-object-names', `${from}..${to}`])
    .toString()
    .trim();
  const oids = list.split('\n');
  const out = git(repository, ['cat-file', '--batch'], `${oids.join('\n')}\n`);
  const objects = [];
  let position = 0;
  while (position < out.length) {
    const end = out.indexOf(0x0a, position);
    const [, type, size] = out.toString('latin1', position, end).split(' ');
    objects.push({ type, data: Buffer.from(out.subarray(end + 1, end + 1 + Number(size))) });
    position = end + 2 + Number(size);
  }
  return objects;
}

/**
 * Prepares to write a recording again, plainly; gives the function that does it once.
 *
 * Every repetition writes files of its own, where the recording did; what it appended to or replaced is there from the start.
 */
export function replayer(recording, objects, root, folder) {
  const known = new Set(recording.events.filter((event) => event.flags === 'wx').map((event) => event.file));
  for (const event of recording.events) {
    for (const file of [event.file, event.to]) {
      if (file !== undefined && !file.startsWith(root)) throw new Error(`${file} lies outside ${root}`);
      if (file === undefined) continue;
      fs.mkdirSync(path.dirname(place(file, 0)), { recursive: true });
      if (event.kind === 'syncDirectory') fs.mkdirSync(place(file, 0), { recursive: true });
    }
  }
  // A file that was opened without being made, or linked from, was there before.
  const before = recording.events.flatMap((event) =>
    (event.kind === 'open' && event.flags !== 'wx') || event.kind === 'link' ? [event.file] : [],
  );
  for (const file of before) if (!known.has(file)) fs.writeFileSync(place(file, 0), Buffer.alloc(64));

  function place(file, round) {
    const name = file
      .slice(root.length)
      .replace(/pack-[0-9a-f]{40}/, `pack-${String(round).padStart(40, '0')}`)
      .replace(/_\d+_[0-9a-z]+_(\d+)/, `_${round}_$1`);
    // Files of the work tree are new ones each time.
    return `${folder}${isNewName(file) ? name.replace(/(\.\w+)$/, `-${round}$1`) : name}`;
  }

  function isNewName(file) {
    return /\/(?:raw|memories)\//.test(file.slice(root.length));
  }

  return (round) => {
    for (const { type, data } of objects) {
      createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex');
      deflateSync(data, { level: 1 });
    }
    const open = new Map();
    for (const event of recording.events) {
      const file = place(event.file, round);
      if (event.kind === 'open') open.set(event.file, fs.openSync(file, event.flags, event.mode));
      else if (event.kind === 'write') {
        // The checksums of packs and of the index are part of what is written.
        if (/tmp_pack|tmp_idx|git-memory-index_/.test(file)) createHash('sha1').update(event.bytes).digest();
        fs.writeSync(open.get(event.file), event.bytes, 0, event.bytes.length, event.isPlaced ? 64 : null);
      } else if (event.kind === 'sync') fs.fsyncSync(open.get(event.file));
      else if (event.kind === 'mode') fs.fchmodSync(open.get(event.file), event.mode);
      else if (event.kind === 'close') fs.closeSync(open.get(event.file));
      else if (event.kind === 'rename') fs.renameSync(file, place(event.to, round));
      else if (event.kind === 'link') fs.linkSync(file, place(event.to, round));
      else if (event.kind === 'unlink') fs.unlinkSync(file);
      else if (event.kind === 'syncDirectory') {
        const descriptor = fs.openSync(file, 'r');
        fs.fsyncSync(descriptor);
        fs.closeSync(descriptor);
      }
    }
  };
}
