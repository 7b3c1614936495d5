import { migrate } from './migrate.ts'
import { openPool } from '../pool.ts'

// A process of its own, to be killed: `test-migrating-process.ts URL FOLDER`.
const [url = '', folder = ''] = process.argv.slice(2)
await migrate(openPool(url, { max: 3 }), { folder: new URL(folder) })
