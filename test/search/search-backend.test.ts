// The shared search, within this process: on both kinds of index.

import { describe } from 'vitest';
import { miniSearchIndex } from '../../src/adapters/mini-search-index.ts';
import { searchBackendContract } from '../contracts/search-backend.ts';
import { arraysOverSegments } from '../helpers/array-index.ts';
import { localSearchBackend } from '../helpers/local-search-backend.ts';

describe('a shared search on MiniSearch', () => searchBackendContract(() => localSearchBackend(miniSearchIndex)));
describe('a shared search on typed arrays', () => searchBackendContract(() => localSearchBackend(arraysOverSegments)));
