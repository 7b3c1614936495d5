import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { NodeKind } from './look-into-archive.ts'

const block = 512 // bytes, of which a tar file is made

/**
 * Packs the Node.js that this server runs on, for devices of the same kind, and answers the archive's name; undefined: there is none of this kind here.
 * `nodesDir`: where npm put it. `into`: the folder of what was packed; one of before goes from there.
 */
export async function packOwnNode(kind: NodeKind, { nodesDir, into }: { nodesDir: string; into: string }): Promise<string | undefined> {
  const from = join(nodesDir, `node-${kind}`)
  const program = join(from, 'bin/node')
  if (!existsSync(program)) return undefined
  const { version } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as { version: string }
  const name = `node-v${version}-${kind}`
  const archive = `${name}.tar.gz`
  if (existsSync(join(into, archive))) return archive
  await mkdir(into, { recursive: true })
  const draft = join(into, `.${randomUUID()}`)
  const { size } = await stat(program)
  try {
    await pipeline(
      async function* () {
        yield headOf(`${name}/bin/node`, size)
        yield* createReadStream(program)
        // A tar file ends with two blocks of nothing.
        yield Buffer.alloc((block - (size % block)) % block)
        yield Buffer.alloc(2 * block)
      },
      createGzip(),
      createWriteStream(draft, { flush: true })
    )
    await rename(draft, join(into, archive))
  } finally {
    await rm(draft, { force: true })
  }
  for (const other of await readdir(into))
    if (other !== archive && other.endsWith(`-${kind}.tar.gz`)) await rm(join(into, other), { force: true })
  return archive
}

/** The head of a program in a tar file (POSIX, "ustar"). */
function headOf(name: string, size: number): Buffer {
  const head = Buffer.alloc(block)
  const octal = (value: number, at: number, digits: number) => head.write(value.toString(8).padStart(digits, '0'), at, 'latin1')
  head.write(name, 0, 'latin1')
  octal(0o755, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(0, 136, 11)
  head.write(' '.repeat(8), 148, 'latin1')
  head.write('0', 156, 'latin1')
  head.write('ustar\0' + '00', 257, 'latin1')
  octal(
    head.reduce((sum, byte) => sum + byte, 0),
    148,
    6
  )
  head.write('\0 ', 154, 'latin1')
  return head
}
