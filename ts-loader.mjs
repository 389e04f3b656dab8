// Loads TypeScript in this process and in the worker threads and child processes that inherit the option.
import { register } from 'tsx/esm/api';

register();
