import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeApi } from '../apps/server/src/describe-api.ts'
import { root } from './run.ts'

// npm run openapi: writes openapi.json, which tools/house-rules.test.ts compares with the operations.
writeFileSync(join(root, 'openapi.json'), `${JSON.stringify(describeApi(), null, 2)}\n`)
