// What programs write around, or in the place of, the words of their users. Wrappers are taken off with what they hold, which is nobody's words.

/** Blocks that a program puts into the words of a user, by the names of their marks; what stands within is the program's. */
const blocks = [
  // Claude Code.
  'system-reminder|ide_opened_file|ide_selection|local-command-caveat',
  // Cline, Roo, Codex.
  'environment_details|environment_context|thinking|file_contents|slash_commands',
  // Cursor.
  'additional_data|attached_files|user_info|project_layout|git_status|open_and_recently_viewed_files',
].join('|');
const wrapped = new RegExp(`<(${blocks})(?:\\s[^>]*)?>[\\s\\S]*?</\\1>`, 'g');
const around = /<\/?(?:task|feedback|user_message|user_query|answer|user-prompt-submit-hook)(?:\s[^>]*)?>/g;

/** Takes the wrappers of programs off; empty where nothing was said within. */
export function said(text: string): string {
  if (!text.includes('<')) return text;
  return text.replace(wrapped, '').replace(around, '').trim();
}
