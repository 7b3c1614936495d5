import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppDb } from '../app.ts'
import { makeDirs } from '../make-dirs.ts'

const mark = 'mk1.'
const cipher = 'aes-256-gcm'
const [nonceBytes, tagBytes, keyBytes] = [12, 16, 32]

/** Why what the database keeps cannot be read, in a sentence for whoever runs the installation. */
export class SecretKeysMissing extends Error {
  readonly name = 'SecretKeysMissing'
}

const idOf = (key: Buffer) => createHash('sha256').update('masthead secret key').update(key).digest('hex').slice(0, 8)
/** Where the keys are that were made here: one a line as base64, the first one encrypts. */
export const keyFileOf = (dataDir: string) => join(dataDir, 'secret-keys')

/** What can encrypt and decrypt secrets: a database with its keys. */
export type Keyed = { readonly keys: SecretKeys }

/** The keys of a database, those of MASTHEAD_SECRET_KEY before those in the data directory: the first encrypts, all of them decrypt. */
export class SecretKeys {
  #given: readonly Buffer[]
  #file: string | undefined
  #seen: number | undefined
  #known = new Map<string, Buffer>()
  #current: string | undefined

  constructor({ secretKeys, dataDir }: { secretKeys: readonly Buffer[]; dataDir?: string }) {
    this.#given = secretKeys
    this.#file = dataDir === undefined ? undefined : keyFileOf(dataDir)
  }

  /** Which key encrypts now, if there is one. */
  findCurrent(): string | undefined {
    this.#reload()
    return this.#current
  }

  /** Which key encrypts now. Throws SecretKeysMissing. */
  getCurrent(): string {
    const current = this.findCurrent()
    if (current === undefined) throw new SecretKeysMissing('There is no key for secrets: set MASTHEAD_SECRET_KEY')
    return current
  }

  /**
   * Encrypts a secret for the place it is kept in (`table id`): `mk1.<key id>.<base64url of nonce, tag and cipher text>`. Nobody can move it to
   * another row. AES-256-GCM (NIST SP 800-38D).
   */
  encrypt(place: string, text: string): string {
    const id = this.getCurrent()
    const nonce = randomBytes(nonceBytes)
    const encryption = createCipheriv(cipher, this.#known.get(id)!, nonce).setAAD(Buffer.from(place))
    const encrypted = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
    return `${mark}${id}.${Buffer.concat([nonce, encryption.getAuthTag(), encrypted]).toString('base64url')}`
  }

  /** The secret again. Throws when its key is not here, when it belongs elsewhere, or when a bit was changed. */
  decrypt(place: string, encrypted: string): string {
    const id = keyIdOf(encrypted)
    if (!this.#known.has(id)) this.#reload()
    const key = this.#known.get(id)
    if (!key) throw new SecretKeysMissing(`The key ${id}, which encrypts secrets in the database, is not here`)
    const bytes = Buffer.from(encrypted.slice(mark.length + id.length + 1), 'base64url')
    const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes }).setAAD(Buffer.from(place))
    decryption.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([decryption.update(bytes.subarray(nonceBytes + tagBytes)), decryption.final()]).toString('utf8')
  }

  /** Reads the file again where it changed: another process may have put a new key into it. */
  #reload(): void {
    const changed = (this.#file && statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs) || 0
    if (changed === this.#seen) return
    const keys = [...this.#given, ...(changed ? readKeyFile(this.#file!) : [])]
    for (const key of keys) this.#known.set(idOf(key), key)
    this.#current = keys[0] && idOf(keys[0])
    this.#seen = changed
  }
}

/** Of a database whose secrets nobody is to read or write. */
export const noKeys = new SecretKeys({ secretKeys: [] })

function readKeyFile(file: string): Buffer[] {
  const keys = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Buffer.from(line, 'base64'))
  if (keys.some((key) => key.length !== keyBytes)) throw new SecretKeysMissing(`${file} holds something that is no key of 32 bytes`)
  return keys
}

/** Writes a file nobody else may read, whole or not at all; with `once` never over one that is there. */
function writeKeyFile(file: string, keys: readonly Buffer[], once: boolean): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, keys.map((key) => `${key.toString('base64')}\n`).join(''), { flag: 'wx', mode: 0o600 })
  if (!once) return renameSync(draft, file)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}

export const isEncrypted = (kept: string) => kept.startsWith(mark)
/** Which key encrypted it. */
export const keyIdOf = (encrypted: string) => encrypted.slice(mark.length, encrypted.indexOf('.', mark.length))

type InDirectory = { dataDir: string }

const proof = { name: 'secret_keys', place: 'signing_key secret_keys' }

/**
 * Makes a key in the data directory where there is none yet, and sees to it that the keys are those of this database: two machines with a key
 * each would not read each other's secrets. Throws SecretKeysMissing.
 */
export async function prepareSecretKeys(db: AppDb, { dataDir }: InDirectory): Promise<void> {
  const { keys } = db
  const find = () => db.selectFrom('signing_key').select('secret').where('name', '=', proof.name).executeTakeFirst()
  let kept = await find()
  if (!kept) {
    if (keys.findCurrent() === undefined) addKeyFile(dataDir)
    const secret = Buffer.from(keys.encrypt(proof.place, 'masthead'))
    const row = { name: proof.name, secret }
    await db.transaction().execute((tx) =>
      tx
        .insertInto('signing_key')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
    )
    kept = (await find())!
  }
  const id = keyIdOf(kept.secret.toString())
  // Throws by itself where the file holds no key.
  keys.findCurrent()
  try {
    keys.decrypt(proof.place, kept.secret.toString())
    keys.getCurrent()
  } catch {
    throw new SecretKeysMissing(
      `Secrets in the database are encrypted with the key ${id}, which is neither in MASTHEAD_SECRET_KEY nor in ${keyFileOf(dataDir)}. Bring it from the machine that has it, or from its back-up.`
    )
  }
}

function addKeyFile(dataDir: string) {
  makeDirs(dataDir)
  writeKeyFile(keyFileOf(dataDir), [randomBytes(keyBytes)], true)
}

/** Puts a new key before those of the data directory: from now on it encrypts. */
export function addSecretKey({ dataDir }: InDirectory): void {
  const file = keyFileOf(dataDir)
  writeKeyFile(file, [randomBytes(keyBytes), ...readKeyFile(file)], false)
}

/** Forgets all but the newest two: the last but one may just have encrypted something in a process that had not checked yet. */
export function dropOldSecretKeys({ dataDir }: InDirectory): void {
  const file = keyFileOf(dataDir)
  writeKeyFile(file, readKeyFile(file).slice(0, 2), false)
}
