import type { Parsed } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Change, Comparison } from '@masthead/contract/registry/comparison'
import { platformWords, type Image, type ImageConfig, type Platform } from '@masthead/contract/registry/image'
import type { getImageComparison } from '@masthead/contract/registry/image-operations'
import type { Vulnerability } from '@masthead/contract/registry/vulnerability'
import { getLoad } from '../../advisories/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { findSboms, packagesOf, type SbomRow } from '../attached/sboms.ts'
import { getVulnerabilities } from '../attached/vulnerabilities.ts'
import type { Repository } from '../content/repository.ts'
import { sumOf } from '../content/sum-of.ts'
import { getImage } from '../get-image.ts'
import { isDigest } from '../protocol/address.ts'
import { getRepositoryHere } from '../repository-here.ts'

const mostPackages = 500
const mostVulnerabilities = 200

/** What is compared on one side, and the digest that was named: that of an index, of which it is one image. */
type Side = { image: Image; named: string }

/** Throws not_found. */
export async function compareImages(
  db: Db,
  actor: Actor,
  asked: string,
  digest: string,
  { before: other, platform }: Parsed<typeof getImageComparison>['query']
): Promise<Comparison> {
  const repository = await getRepositoryHere(db, actor, asked)
  if (!isDigest(other)) throw new Problem(notFound)
  const whole = { before: await getImage(db, actor, asked, other), after: await getImage(db, actor, asked, digest) }
  const [one, another] = [imagesOf(whole.before), imagesOf(whole.after)]
  const platforms = isIndex(whole.before) || isIndex(whole.after) ? comparePlatforms(one, another, platform) : null
  const sideOf = async (image: Image, images: ReadonlyMap<string, string>): Promise<Side> => {
    const own = images.get(platforms?.compared ?? '') ?? image.digest
    return { image: own === image.digest ? image : await getImage(db, actor, asked, own), named: image.digest }
  }
  const sides = [await sideOf(whole.before, one), await sideOf(whole.after, another)] as const
  const [{ image: before }, { image: after }] = sides
  const had = new Set(before.layers.map((layer) => layer.digest))
  const has = new Set(after.layers.map((layer) => layer.digest))
  const added = after.layers.filter((layer) => !had.has(layer.digest))
  const bare = (layers: Image['layers']) => layers.map(({ digest: of, bytes, created_by }) => ({ digest: of, bytes, created_by }))
  const listed = await listedOf(db, repository, sides)
  return {
    platforms,
    size_bytes: { before: before.size_bytes, after: after.size_bytes },
    layers: {
      same: after.layers.length - added.length,
      gone: bare(before.layers.filter((layer) => !has.has(layer.digest))),
      added: bare(added),
    },
    // What is fetched elsewhere has any size that its manifest says.
    pull_bytes: sumOf([...new Map(added.map((layer) => [layer.digest, layer.bytes])).values()]),
    config: changes(linesOf(before), linesOf(after)),
    packages: listed && (await comparePackages(db, repository, listed)),
    vulnerabilities: listed && (await compareVulnerabilities(db, actor, asked, listed)),
  }
}

const isIndex = ({ manifests }: Image) => manifests.length > 0

/** The images of an image by their platforms: those that an index names, or itself. */
function imagesOf({ digest, manifests, platforms }: Image): Map<string, string> {
  const own: readonly { digest: string; platform: Platform | null }[] =
    manifests.length > 0 ? manifests : platforms.slice(0, 1).map((platform) => ({ digest, platform }))
  // Of several of one platform the first is pulled.
  return new Map(
    own.toReversed().flatMap((each) => (each.platform ? [[sameWords(platformWords(each.platform)), each.digest] as const] : []))
  )
}

/** All of arm64 is its v8, which only some builds say. */
const sameWords = (platform: string) => platform.replace(/^(.*\/arm64)\/v8$/, '$1')

/** Throws not_found where `asked` is not among those that both have. */
function comparePlatforms(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  asked: string | undefined
): Comparison['platforms'] {
  const names = [...after.keys()].toSorted()
  const both = names.filter((name) => before.has(name))
  const compared = asked === undefined ? (both[0] ?? null) : sameWords(asked)
  if (asked !== undefined && !both.includes(compared!)) throw new Problem(notFound, `Not both of them have an image for ${asked}`)
  return {
    compared,
    both,
    gone: [...before.keys()].filter((name) => !after.has(name)).toSorted(),
    added: names.filter((name) => !before.has(name)),
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

type Listed = readonly [before: SbomRow, after: SbomRow]

/** The newest list of packages of each side: of the image, else of the index that names it. Null where one of them has none. */
async function listedOf(db: Db, repository: Repository, sides: readonly [Side, Side]): Promise<Listed | null> {
  const digests = sides.flatMap(({ image, named }) => [image.digest, named])
  const sboms = await findSboms(db, repository, [...new Set(digests)], 1)
  const [before, after] = sides.map(({ image, named }) =>
    [image.digest, named].flatMap((of) => sboms.find((each) => each.image === of) ?? []).at(0)
  )
  return before && after ? [before, after] : null
}

async function comparePackages(db: Db, repository: Repository, [before, after]: Listed): Promise<Comparison['packages']> {
  const versionsOf = async (sbom: SbomRow) => {
    const rows = await packagesOf(db, repository, sbom).select(['p.name', 'p.version']).orderBy('p.place').execute()
    // One that is there in several versions says all of them.
    const versions = Map.groupBy(rows, ({ name }) => name)
    return new Map([...versions].map(([name, of]) => [name, [...new Set(of.map(({ version }) => version))].toSorted().join(', ')]))
  }
  const [had, has] = [await versionsOf(before), await versionsOf(after)]
  const items = changes(had, has)
  const names = new Set([...had.keys(), ...has.keys()])
  return { same: names.size - items.length, different: items.length, items: items.slice(0, mostPackages) }
}

async function compareVulnerabilities(
  db: Db,
  actor: Actor,
  asked: string,
  [before, after]: Listed
): Promise<Comparison['vulnerabilities']> {
  if (!(await getLoad(db))) return null
  const [had, has] = [await getVulnerabilities(db, actor, asked, before.image), await getVulnerabilities(db, actor, asked, after.image)]
  const key = ({ id, package: name }: Vulnerability) => `${id}\n${name}`
  const without = (items: Vulnerability[], others: Vulnerability[]) => {
    const known = new Set(others.map(key))
    return items.filter((item) => !known.has(key(item))).slice(0, mostVulnerabilities)
  }
  // The scanner may have looked into one of them alone.
  const listed = ({ items }: { items: Vulnerability[] }) => items.filter(({ found_by }) => found_by.includes('packages'))
  return { closed: without(listed(had), listed(has)), opened: without(listed(has), listed(had)) }
}
