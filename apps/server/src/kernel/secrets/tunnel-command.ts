import { createHash } from 'node:crypto'
import type { WriteDb } from '../app.ts'
import { getSigningKey } from './signing-key.ts'

/** What this installation's console takes for the command that shows tunnel management (spec §2): chance, and nowhere but in its database. */
export const tunnelCommand = async (db: WriteDb): Promise<string> => (await getSigningKey(db, 'tunnels')).toString('base64url').slice(0, 24)

/** All that a page has of the command: its SHA-256 in hex. While the database is away pages have none, and it is asked for again. */
export function keepTunnelHash(db: WriteDb) {
  let hash: string | null = null
  let asking: Promise<void> | null = null
  const ask = () =>
    (asking ??= tunnelCommand(db).then(
      (command) => void (hash = createHash('sha256').update(command).digest('hex')),
      () => void (asking = null)
    ))
  return {
    ask,
    known() {
      if (hash === null) void ask()
      return hash
    },
  }
}
