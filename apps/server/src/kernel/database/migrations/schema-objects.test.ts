import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { openPool } from '../pool.ts'
import { migrate } from './migrate.ts'
import { readSchemaObjects, schemaObjectsFile } from './schema-objects.ts'

test('the list that the doctor compares with is what the migrations make (--update writes it)', async () => {
  const pool = openPool(await emptyDatabase(), { max: 2 })
  try {
    await migrate(pool)
    const objects = await readSchemaObjects(pool)
    await expect(`${objects.join('\n')}\n`).toMatchFileSnapshot(fileURLToPath(schemaObjectsFile))
  } finally {
    await pool.end()
  }
})
