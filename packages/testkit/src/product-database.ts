import { openPool } from '@masthead/server/kernel/database/pool'
import { openTestDatabase } from './test-database.ts'

/** The database of a running product, for what its API lets nobody do at will: to suspend, to make staff, to change rights unseen. */
export const openProductDatabase = (url: string) => openTestDatabase(openPool(url, { max: 2, name: 'test' }))
