import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/** Processors that devices have, as nodejs.org names them, with their numbers in the head of a program (ELF, "e_machine"). */
const machines = { 'linux-x64': 62, 'linux-arm64': 183 } as const
export type NodeKind = keyof typeof machines
export const nodeKinds = Object.keys(machines) as NodeKind[]

const block = 512 // bytes, of which a tar file is made
/** Bytes. An official archive unpacks to some 200 MB. */
const mostUnpacked = 1024 ** 3

/** What an archive is not, as the end of a sentence that begins with its name. */
export class NotTheNode extends Error {
  readonly name = 'NotTheNode'
}

/** The SHA-256, as hex, of an archive of Node.js for a kind of device, read to its end. `name`: of the folder in it. Throws NotTheNode. */
export async function lookIntoArchive(path: string, { name, kind }: { name: string; kind: NodeKind }): Promise<string> {
  const hash = createHash('sha256')
  const program = `${name}/bin/node`
  let head: Buffer | undefined
  try {
    await pipeline(
      createReadStream(path),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createGunzip(),
      async (chunks: AsyncIterable<Buffer>) => void (head = await headOf(program, chunks))
    )
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw code.startsWith('Z_') ? new NotTheNode(`is not whole: ${message}`) : error
  }
  if (!head) throw new NotTheNode(`holds no ${program}`)
  if (head.readUInt32BE(0) !== 0x7f454c46 || head[4] !== 2 || head.readUInt16LE(18) !== machines[kind])
    throw new NotTheNode(`holds a program that is none for ${kind}`)
  return hash.digest('hex')
}

/** The first block of a file in a tar stream, which is read to its end; undefined: it holds none of this name. */
async function headOf(file: string, chunks: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  let found: Buffer | undefined
  let kept: Buffer = Buffer.alloc(0)
  let [skip, all] = [0, 0]
  for await (const chunk of chunks) {
    all += chunk.length
    if (all > mostUnpacked) throw new NotTheNode('unpacks to more than 1 GB')
    if (found) continue
    const from = Math.min(skip, chunk.length)
    skip -= from
    kept = Buffer.concat([kept, chunk.subarray(from)])
    while (kept.length >= 2 * block) {
      // With "./" before it tar does not find it for the installation script, which asks for the name as nodejs.org has it.
      const name = textOf(kept, 0, 100)
      if (name === file) {
        found = kept.subarray(block, 2 * block)
        break
      }
      const bytes = name === '' ? 0 : parseInt(textOf(kept, 124, 136), 8)
      if (!(bytes >= 0)) throw new NotTheNode('is no tar file')
      const whole = block * (1 + Math.ceil(bytes / block))
      skip = Math.max(0, whole - kept.length)
      kept = kept.subarray(whole)
    }
  }
  return found
}

const textOf = (of: Buffer, from: number, to: number) => of.toString('latin1', from, to).split('\0', 1)[0]!.trim()
