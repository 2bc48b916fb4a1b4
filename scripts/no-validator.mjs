// Stands for the MCP SDK's JSON Schema validator in the bundled program. The SDK asks it for answers to forms, and no form of ours exists.

import process from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('git-memory asks a client to fill in no form');
  }
}

export { process };
