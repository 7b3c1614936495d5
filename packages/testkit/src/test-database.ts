import type { Kysely } from 'kysely'
import type { AppDb } from '@masthead/server/kernel/app'
import type { Database } from '@masthead/server/kernel/database/database'
import { noKeys } from '@masthead/server/kernel/secrets/secret-keys'
import { openDatabase } from '@masthead/server/kernel/database/open-database'

/** The database as tests prepare it and look at it: they also write outside a transaction, which the server cannot. */
export type TestDb = AppDb & Omit<Kysely<Database>, keyof AppDb>

/** `destroy` ends the pool. */
export const openTestDatabase = (pool: Parameters<typeof openDatabase>[0], keys = noKeys): TestDb => openDatabase(pool, { keys }) as TestDb
