import { loadConfig } from '../../kernel/config.ts'
import { openApp } from '../../open-app.ts'
import { readFile } from './read-file.ts'

// A process of its own, to be killed: `test-reading-process.ts FILE_ID TIME`.
const [file_id = '', time = ''] = process.argv.slice(2)
const app = await openApp(loadConfig())
await readFile({ ...app, clock: { ...app.clock, now: () => new Date(time) } }, { file_id })
await app.close()
