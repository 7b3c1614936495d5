import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../kernel/config.ts'
import { lookIntoArchive, nodeKinds, NotTheNode, type NodeKind } from './look-into-archive.ts'
import { packOwnNode } from './pack-own-node.ts'

/** Node.js for one kind of device. `version` as 24.21.0, `sha256` as hex, `bytes` of the archive. */
type AgentNode = { kind: NodeKind; version: string; file: string; path: string; sha256: string; bytes: number }
/** A file that is not served. `why`: its name …, in words. */
type Refused = { file: string; why: string }
type Looked = AgentNode | Refused
type Found = { nodes: AgentNode[]; refused: Refused[] }
type Place = Pick<Config, 'dataDir' | 'nodesDir'>
/** `onFailure`: what the server runs on could not be packed. It is not tried again until it is started anew. */
type Parts = { onFailure: (error: unknown) => void }

const named = /^(node-v((\d{1,3})\.\d{1,3}\.\d{1,3})-(linux-(?:x64|arm64)))\.tar\.gz$/
const example = 'node-v24.21.0-linux-arm64.tar.gz'
const leastMajor = 22
/** The list that nodejs.org has beside its archives, and by which devices get ours. */
export const sumsFile = 'SHASUMS256.txt'

/** Where the operator puts archives of Node.js for devices. */
export const agentNodesDir = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'agent-node')

/** The archives of Node.js that devices get from here: what the operator put into the folder, and for the others what this server runs on. */
export class AgentNodes {
  #place: Place
  #looked = new Map<string, { state: string; result: Promise<Looked> }>()
  #packing = new Map<NodeKind, Promise<string | undefined>>()
  #onFailure: Parts['onFailure']

  constructor(place: Place, { onFailure }: Parts) {
    this.#place = place
    this.#onFailure = onFailure
  }

  /** The newest of each kind that the operator put there, and files that are none. Rejects where the folder cannot be read. */
  given(): Promise<Found> {
    return this.#lookAt(agentNodesDir(this.#place))
  }

  /** One for each kind that there is, where need be packed now, which takes seconds once. */
  async list(): Promise<AgentNode[]> {
    const { nodes } = await this.given()
    const into = join(agentNodesDir(this.#place), 'own')
    const missing = nodeKinds.filter((kind) => !nodes.some((node) => node.kind === kind))
    const packed = await Promise.all(missing.map((kind) => this.#pack(kind, into)))
    if (packed.every((file) => file === undefined)) return nodes
    const own = (await this.#lookAt(into)).nodes.filter(({ kind }) => missing.includes(kind))
    return [...nodes, ...own]
  }

  #pack(kind: NodeKind, into: string): Promise<string | undefined> {
    const known = this.#packing.get(kind)
    if (known) return known
    const packing = packOwnNode(kind, { nodesDir: this.#place.nodesDir, into }).then(
      (file) => {
        this.#packing.delete(kind)
        return file
      },
      (error: unknown) => {
        this.#onFailure(error)
        return undefined
      }
    )
    this.#packing.set(kind, packing)
    return packing
  }

  async #lookAt(dir: string): Promise<Found> {
    const files = await readdir(dir, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const sums = await readSums(dir)
    const names = files
      .filter((file) => !file.isDirectory() && file.name !== sumsFile && !file.name.startsWith('.'))
      .map(({ name }) => name)
    const all = await Promise.all(names.map((file) => this.#look(dir, file, sums)))
    const good = all.filter((each) => 'sha256' in each).toSorted((one, other) => compareVersions(other.version, one.version))
    const nodes = nodeKinds.flatMap((kind) => good.find((node) => node.kind === kind) ?? [])
    return { nodes, refused: all.filter((each) => 'why' in each) }
  }

  /** What does not change is looked into once. One that cannot be read keeps no other from devices, and is looked into each time. */
  async #look(dir: string, file: string, sums: ReadonlyMap<string, string> | Error): Promise<Looked> {
    const path = join(dir, file)
    let looked: Looked
    try {
      const { size, mtimeMs } = await stat(path)
      const state = `${size} ${mtimeMs}`
      const known = this.#looked.get(path)
      const result = known?.state === state ? known.result : lookInto(path, { file, bytes: size })
      this.#looked.set(path, { state, result })
      looked = await result
    } catch (error) {
      this.#looked.delete(path)
      return { file, why: `cannot be read: ${(error as Error).message}` }
    }
    if ('why' in looked) return looked
    if (sums instanceof Error) return { file, why: `is not compared with ${sumsFile} beside it, which cannot be read: ${sums.message}` }
    const said = sums.get(file)
    if (!said || said === looked.sha256) return looked
    return { file, why: `is not the one that ${sumsFile} beside it names: its SHA-256 is ${looked.sha256}` }
  }
}

async function lookInto(path: string, { file, bytes }: { file: string; bytes: number }): Promise<Looked> {
  const [, name, version, major, kind] = named.exec(file) ?? []
  if (!name || !version) return { file, why: `is not named as nodejs.org names its archives for devices, like ${example}` }
  if (Number(major) < leastMajor) return { file, why: `is older than Node.js ${leastMajor}, which the agent needs` }
  const of = { name, kind: kind as NodeKind }
  try {
    return { kind: of.kind, version, file, path, sha256: await lookIntoArchive(path, of), bytes }
  } catch (error) {
    if (error instanceof NotTheNode) return { file, why: error.message }
    throw error
  }
}

/** SHA-256 by the name of a file, where such a list is in the folder. An error: it is there and cannot be read, so nobody knows what it refuses. */
async function readSums(dir: string): Promise<Map<string, string> | Error> {
  const text = await readFile(join(dir, sumsFile), 'utf8').catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? '' : error))
  if (text instanceof Error) return text
  return new Map([...text.matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm)].map(([, sum, file]) => [file!, sum!]))
}

function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]]
  const at = left.findIndex((part, index) => part !== right[index])
  return at < 0 ? 0 : left[at]! - right[at]!
}
