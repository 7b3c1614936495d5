import { runFolder } from './run.ts'

// npm run bench [-- NAME…]: each file of bench/, or those named. One JSON line per figure, beside its reference.
process.exitCode = (await runFolder('bench', process.argv.slice(2))) ? 0 : 1
