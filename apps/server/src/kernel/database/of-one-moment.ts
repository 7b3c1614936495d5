import type { Db, Tx } from '../app.ts'

/** Reads without writing, all of one moment: its figures agree with each other. */
export const ofOneMoment = <Answer>(db: Db, read: (tx: Tx) => Promise<Answer>): Promise<Answer> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
