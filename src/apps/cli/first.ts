// What has to be set before anything else of the program is loaded.

import { config } from 'zod';

// A command checks a shape once or twice: functions made for it, which V8 has to compile, cost more than they save.
config({ jitless: true });
