// Ready lines for the schedulers that machines have: each runs `git memory maintain schedule run` every quarter of an hour, which does what is due.

import { sha256Hex } from '../../base/hash.ts';
import { slugOf } from '../../base/text.ts';

/** The schedulers that lines can be made for. */
export const schedulers = ['crontab', 'systemd', 'launchd'] as const;
export type Scheduler = (typeof schedulers)[number];

/** What is to be run, as plain paths. */
export interface ScheduledProgram {
  readonly node: string;
  readonly program: string;
  /** The folder of the memory. */
  readonly directory: string;
  /** Short name of the branch. */
  readonly branch: string;
}

/** A text to be put somewhere, and how. */
export interface ScheduleLines {
  readonly files: readonly {
    /** Where it goes; `crontab` for the user's table. */
    readonly path: string;
    readonly text: string;
  }[];
  /** The commands that put it into effect. */
  readonly commands: readonly string[];
}

const everyMinutes = 15;

/** Makes the lines; nothing is installed. Errors go where the scheduler reports them, answers nowhere. */
export function scheduleLines(kind: Scheduler, { node, program, directory, branch }: ScheduledProgram): ScheduleLines {
  const words = [node, program, 'maintain', 'schedule', 'run', '--dir', directory, '--branch', branch];
  // Two memories of one machine have names of their own.
  const name = `git-memory-${slugOf(directory.split('/').at(-1) ?? '', 24)}-${sha256Hex(`${directory}\n${branch}`).slice(0, 6)}`;
  if (kind === 'crontab') {
    // A percent sign is the end of the line to cron.
    const line = words.map(shellWord).join(' ').replaceAll('%', '\\%');
    return {
      files: [{ path: 'crontab', text: `*/${everyMinutes} * * * * ${line} >/dev/null\n` }],
      commands: ['crontab -e'],
    };
  }
  if (kind === 'systemd') {
    const folder = '~/.config/systemd/user';
    const description = `What is due in the memory ${directory.replaceAll('%', '%%')}`;
    const unit = `[Unit]\nDescription=${description}\n`;
    const command = words.map(systemdWord).join(' ');
    const service = `${unit}\n[Service]\nType=oneshot\nNice=10\nStandardOutput=null\nExecStart=${command}\n`;
    const times = `OnCalendar=*:0/${everyMinutes}\nPersistent=true\nRandomizedDelaySec=60`;
    const timer = `${unit}\n[Timer]\n${times}\n\n[Install]\nWantedBy=timers.target\n`;
    return {
      files: [
        { path: `${folder}/${name}.service`, text: service },
        { path: `${folder}/${name}.timer`, text: timer },
      ],
      commands: ['systemctl --user daemon-reload', `systemctl --user enable --now ${name}.timer`],
    };
  }
  const strings = words.map((word) => `    <string>${xmlText(word)}</string>\n`).join('');
  const plist = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${name}</string>
  <key>ProgramArguments</key>
  <array>
${strings}  </array>
  <key>StartInterval</key>
  <integer>${everyMinutes * 60}</integer>
  <key>LowPriorityIO</key>
  <true/>
  <key>StandardOutPath</key>
  <string>/dev/null</string>
</dict>
</plist>
`;
  const path = `~/Library/LaunchAgents/${name}.plist`;
  return { files: [{ path, text: plist }], commands: [`launchctl bootstrap gui/$(id -u) ${path}`] };
}

const shellWord = (text: string): string => (/^[\w/.:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** systemd.service(5), "Command lines": quotes, backslashes, specifiers and variables. */
function systemdWord(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w/.:@+%$-]+$/.test(escaped) ? escaped : `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

const xmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
