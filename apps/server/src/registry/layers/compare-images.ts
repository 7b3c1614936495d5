import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Change, Comparison } from '@masthead/contract/registry/comparison'
import type { Image, ImageConfig } from '@masthead/contract/registry/image'
import type { Vulnerability } from '@masthead/contract/registry/vulnerability'
import { getLoad } from '../../advisories/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { findSboms, packagesOf } from '../attached/sboms.ts'
import { getVulnerabilities } from '../attached/vulnerabilities.ts'
import type { Repository } from '../content/repository.ts'
import { sumOf } from '../content/sum-of.ts'
import { getImage } from '../get-image.ts'
import { isDigest } from '../protocol/address.ts'
import { getRepositoryHere } from '../repository-here.ts'

const mostPackages = 500
const mostVulnerabilities = 200

/** Throws not_found. */
export async function compareImages(db: Db, actor: Actor, asked: string, digest: string, other: string): Promise<Comparison> {
  const repository = await getRepositoryHere(db, actor, asked)
  if (!isDigest(other)) throw new Problem(notFound)
  const before = await getImage(db, actor, asked, other)
  const after = await getImage(db, actor, asked, digest)
  const had = new Set(before.layers.map((layer) => layer.digest))
  const has = new Set(after.layers.map((layer) => layer.digest))
  const added = after.layers.filter((layer) => !had.has(layer.digest))
  const bare = (layers: Image['layers']) => layers.map(({ digest: of, bytes, created_by }) => ({ digest: of, bytes, created_by }))
  return {
    size_bytes: { before: before.size_bytes, after: after.size_bytes },
    layers: {
      same: after.layers.length - added.length,
      gone: bare(before.layers.filter((layer) => !has.has(layer.digest))),
      added: bare(added),
    },
    // What is fetched elsewhere has any size that its manifest says.
    pull_bytes: sumOf([...new Map(added.map((layer) => [layer.digest, layer.bytes])).values()]),
    config: changes(linesOf(before), linesOf(after)),
    packages: await comparePackages(db, repository, other, digest),
    vulnerabilities: await compareVulnerabilities(db, actor, asked, other, digest),
  }
}

/** Each name with what it says on both sides, where that differs; by name. */
function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Change[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  return names
    .map((name) => ({ name, before: before.get(name) ?? null, after: after.get(name) ?? null }))
    .filter((change) => change.before !== change.after)
}

const words = (list: readonly string[]) => list.join(' ')

/** A configuration in lines, of what is not empty. */
function linesOf({ config, platforms }: Image): Map<string, string> {
  const lines: [string, string][] = [
    ['Platform', platforms.map(({ os, architecture, variant }) => [os, architecture, variant].filter(Boolean).join('/')).join(', ')],
    ...(config ? ofConfig(config) : []),
  ]
  return new Map(lines.filter(([, text]) => text !== ''))
}

const ofConfig = (config: ImageConfig): [string, string][] => [
  ['Entrypoint', words(config.entrypoint)],
  ['Command', words(config.cmd)],
  ['User', config.user],
  ['Folder', config.workdir],
  ['Author', config.author],
  ...config.exposed_ports.map((port): [string, string] => [`Port ${port}`, 'exposed']),
  ...config.env.map((name): [string, string] => [`Environment ${name}`, 'set']),
  ...Object.entries(config.labels).map(([name, value]): [string, string] => [`Label ${name}`, value || 'empty']),
]

/** Null where one of them has no list. */
async function comparePackages(db: Db, repository: Repository, before: string, after: string): Promise<Comparison['packages']> {
  const sboms = await findSboms(db, repository, [before, after], 1)
  const versionsOf = async (image: string) => {
    const sbom = sboms.find((each) => each.image === image)
    if (!sbom) return null
    const rows = await packagesOf(db, repository, sbom).select(['p.name', 'p.version']).orderBy('p.place').execute()
    // One that is there in several versions says all of them.
    const versions = Map.groupBy(rows, ({ name }) => name)
    return new Map([...versions].map(([name, of]) => [name, [...new Set(of.map(({ version }) => version))].toSorted().join(', ')]))
  }
  const [had, has] = [await versionsOf(before), await versionsOf(after)]
  if (!had || !has) return null
  const items = changes(had, has)
  const names = new Set([...had.keys(), ...has.keys()])
  return { same: names.size - items.length, different: items.length, items: items.slice(0, mostPackages) }
}

async function compareVulnerabilities(
  db: Db,
  actor: Actor,
  asked: string,
  before: string,
  after: string
): Promise<Comparison['vulnerabilities']> {
  if (!(await getLoad(db))) return null
  const [had, has] = [await getVulnerabilities(db, actor, asked, before), await getVulnerabilities(db, actor, asked, after)]
  if (had.packages === null || has.packages === null) return null
  const key = ({ id, package: name }: Vulnerability) => `${id}\n${name}`
  const without = (items: Vulnerability[], others: Vulnerability[]) => {
    const known = new Set(others.map(key))
    return items.filter((item) => !known.has(key(item))).slice(0, mostVulnerabilities)
  }
  // The scanner may have looked into one of them alone.
  const listed = ({ items }: { items: Vulnerability[] }) => items.filter(({ found_by }) => found_by.includes('packages'))
  return { closed: without(listed(had), listed(has)), opened: without(listed(has), listed(had)) }
}
