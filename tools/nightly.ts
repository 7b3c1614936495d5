import { runFolder } from './run.ts'

// npm run nightly [-- NAME…]: the long ones, in bench/nightly/.
process.exitCode = (await runFolder('bench/nightly', process.argv.slice(2))) ? 0 : 1
