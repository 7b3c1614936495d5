import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { DeviceKind } from '@masthead/contract/devices/device-kind'
import type { Db } from '../../kernel/app.ts'
import { hashToken } from '../credentials.ts'

export type Login = { account_id: string; device_id: string; kind: DeviceKind }
type Row = { account_id: string; id: string; kind: DeviceKind; username_hash: Buffer; password_hash: Buffer | null; cut: boolean }
type Asked = { hash: Buffer; resolve: (row: Row | undefined) => void; reject: (error: unknown) => void }

const gather = 2 // ms: devices that come together are looked up together
const mostAtOnce = 1000

/** Who signs in. The rights found here hold for the connection: nothing is asked for a message. */
export class Logins {
  #db: Db
  #waiting: Asked[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Undefined: unknown, another password, or cut. Rejects when the database is away. */
  async find(username: string, password: Buffer | undefined): Promise<Login | undefined> {
    const row = await new Promise<Row | undefined>((resolve, reject) => {
      this.#waiting.push({ hash: hashToken(username), resolve, reject })
      if (this.#waiting.length >= mostAtOnce) this.#ask()
      else this.#timer ??= setTimeout(() => this.#ask(), gather)
    })
    if (!row || row.cut || !isPassword(row, password)) return undefined
    return { account_id: row.account_id, device_id: row.id, kind: row.kind }
  }

  #ask() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const asked = this.#waiting
    this.#waiting = []
    const hashes = asked.map(({ hash }) => `\\x${hash.toString('hex')}`)
    sql<Row>`select account_id, id, kind, username_hash, password_hash, cut_at is not null as cut from device
      where username_hash = any(${hashes}::bytea[])`
      .execute(this.#db)
      .then(({ rows }) => {
        const found = new Map(rows.map((row) => [row.username_hash.toString('hex'), row]))
        for (const { hash, resolve } of asked) resolve(found.get(hash.toString('hex')))
      })
      .catch((error: unknown) => {
        for (const { reject } of asked) reject(error)
      })
  }
}

/** Of a CORE device the token, its user name, is the only secret: all of them say the same password. */
const isPassword = ({ kind, password_hash }: Row, password: Buffer | undefined) =>
  kind === 'core' || (password !== undefined && password_hash !== null && timingSafeEqual(hashToken(password.toString()), password_hash))
