import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { DeviceKind } from '@masthead/contract/devices/device-kind'
import { deviceReported } from '@masthead/contract/signals'
import type { AppDb } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { hashToken } from '../credentials.ts'
import type { PeerCertificate } from './peer-certificate.ts'

/** `secrets`: what it signed in with, as hashes. */
export type Login = { account_id: string; device_id: string; kind: DeviceKind; secrets: string }
type Row = {
  account_id: string
  id: string
  kind: DeviceKind
  username_hash: Buffer
  password_hash: Buffer | null
  certificate_hash: Buffer | null
  certificate_ends_at: Date | null
  cut: boolean
}
/** `certificate`: that with which the connection was opened. */
type Proof = { password: Buffer | undefined; certificate?: PeerCertificate | undefined }
/** `cut`: devices that were cut meanwhile: what was read of them may be of before. */
type Question = { asked: Asked[]; cut: Set<string> }
type Answer = Row | undefined | 'cut meanwhile'
type Asked = { hash: Buffer; resolve: (row: Answer) => void; reject: (error: unknown) => void }

const gather = 2 // ms: devices that come together are looked up together
const mostAtOnce = 1000

/** Who signs in. The rights found here hold for the connection: nothing is asked for a message. */
export class Logins {
  #db: AppDb
  #next: Question = { asked: [], cut: new Set() }
  #open = new Set<Question>([this.#next])
  #timer: NodeJS.Timeout | undefined

  constructor(db: AppDb) {
    this.#db = db
  }

  /** Undefined: unknown, another password, or cut. Rejects when the database is away. */
  async find(username: string, proof: Proof): Promise<Login | undefined> {
    const row = await new Promise<Answer>((resolve, reject) => {
      this.#next.asked.push({ hash: hashToken(username), resolve, reject })
      if (this.#next.asked.length >= mostAtOnce) this.#ask()
      else this.#timer ??= setTimeout(() => this.#ask(), gather)
    })
    if (row === 'cut meanwhile') return this.find(username, proof)
    if (!row || row.cut || !isProved(row, proof)) return undefined
    if (isCertificateOf(row, proof) && proof.certificate?.ends_at.getTime() !== row.certificate_ends_at?.getTime())
      // Where it is not kept now, it is by the next connection.
      void this.#keepEnd(row, proof.certificate!).catch(() => {})
    return { account_id: row.account_id, device_id: row.id, kind: row.kind, secrets: secretsOf(row) }
  }

  /** A device was cut, or has another secret: whoever is signing in as it is asked about once more. */
  cut(device_id: string): void {
    for (const { asked, cut } of this.#open) if (asked.length > 0) cut.add(device_id)
  }

  /** Those of these logins that are not good any more. */
  async lapsed(logins: readonly Login[]): Promise<string[]> {
    if (logins.length === 0) return []
    const { rows } =
      await sql<Row>`select account_id, id, kind, username_hash, password_hash, certificate_hash, certificate_ends_at, cut_at is not null as cut from device
      where id = any(${logins.map(({ device_id }) => device_id)}::text[])`.execute(this.#db)
    const good = new Map(rows.filter(({ cut }) => !cut).map((row) => [row.id, secretsOf(row)]))
    return logins.filter(({ device_id, secrets }) => good.get(device_id) !== secrets).map(({ device_id }) => device_id)
  }

  /** A device may have had its certificate made anew of the same key. */
  async #keepEnd({ account_id, id }: Row, { hash, ends_at }: PeerCertificate): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await sql`update device set certificate_ends_at = ${ends_at}
        where account_id = ${account_id} and id = ${id} and certificate_hash = ${hash}`.execute(tx)
      await publish(tx, account_id, deviceReported)
    })
  }

  #ask() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const question = this.#next
    const { asked, cut } = question
    this.#next = { asked: [], cut: new Set() }
    this.#open.add(this.#next)
    const hashes = asked.map(({ hash }) => `\\x${hash.toString('hex')}`)
    sql<Row>`select account_id, id, kind, username_hash, password_hash, certificate_hash, certificate_ends_at, cut_at is not null as cut from device
      where username_hash = any(${hashes}::bytea[])`
      .execute(this.#db)
      .then(({ rows }) => {
        const found = new Map(rows.map((row) => [row.username_hash.toString('hex'), row]))
        for (const { hash, resolve } of asked) {
          const row = found.get(hash.toString('hex'))
          resolve(row && cut.has(row.id) ? 'cut meanwhile' : row)
        }
      })
      .catch((error: unknown) => {
        for (const { reject } of asked) reject(error)
      })
      .finally(() => this.#open.delete(question))
  }
}

const secretsOf = ({ username_hash, password_hash, certificate_hash }: Row) =>
  [username_hash, password_hash, certificate_hash].map((hash) => hash?.toString('base64') ?? '').join(' ')

/** Of a CORE device the token, its user name, is the only secret: all of them say the same password. */
const isProved = (row: Row, proof: Proof) => row.kind === 'core' || isCertificateOf(row, proof) || isPasswordOf(row, proof)

const isCertificateOf = ({ certificate_hash }: Row, { certificate }: Proof) =>
  certificate !== undefined && certificate_hash !== null && timingSafeEqual(certificate.hash, certificate_hash)

const isPasswordOf = ({ password_hash }: Row, { password }: Proof) =>
  password !== undefined && password_hash !== null && timingSafeEqual(hashToken(password.toString()), password_hash)
