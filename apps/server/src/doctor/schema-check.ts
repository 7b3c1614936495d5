import type pg from 'pg'
import { readMigrations } from '../kernel/database/migrations/migration-file.ts'
import { missingObjects } from '../kernel/database/migrations/schema-objects.ts'
import { readSchema } from '../kernel/database/migrations/schema-served.ts'
import { bad, ok } from './finding.ts'

const most = 20

/** A database that lost something may work for a while: what asks for it fails, or becomes slow, or is no longer refused. */
export async function checkSchema({ pool }: { pool: pg.Pool }) {
  const brought = new Set(readMigrations().map(({ name }) => name))
  // A newer release may have taken away what this one has in its list and no longer needs.
  if ([...(await readSchema(pool)).done].some((name) => !brought.has(name)))
    return ok('It is of a newer release, whose doctor can compare it')
  const missing = await missingObjects(pool)
  if (missing.length === 0) return ok('All that the migrations made is there')
  const findings = missing.slice(0, most).map(({ object, migration }) => bad(inWords(object), wayOut(object, migration)))
  return missing.length > most ? [...findings, bad(`${missing.length - most} more are missing`, 'Restore a back-up')] : findings
}

function inWords(object: string) {
  if (object.startsWith('trigger')) return `The ${object} is missing, or switched off`
  if (object.startsWith('index')) return `The ${object} is missing, or was never finished`
  return `The ${object} is missing`
}

const wayOut = (object: string, migration: string | undefined) =>
  /^(table|column) /.test(object)
    ? `What it held is in a back-up alone: restore that`
    : `Make it again as apps/server/db/migrations/${migration} does`
