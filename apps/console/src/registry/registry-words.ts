import type { Reply } from '@masthead/contract/kernel/operation'
import { platformWords, type Image, type Platform, type Tag } from '@masthead/contract/registry/image'
import type { deployTag } from '@masthead/contract/registry/operations'
import { settings } from '../api/settings.ts'

/** Where `docker` reaches the registry: elsewhere, as the installation says, or at the console's own address. */
export const registryHost = (): string => settings.registry ?? window.location.host

/** The name of a repository in two: whose it is, and the image. */
export function partsOf(name: string): { username: string; image: string } {
  const slash = name.indexOf('/')
  return { username: name.slice(0, slash), image: name.slice(slash + 1) }
}

/** As much of a digest as tells it apart: `sha256:5a06226d9aa1`. */
export const shortDigest = (digest: string): string => digest.slice(0, 19)

const part = encodeURIComponent
/** Where a repository is shown, by its whole name. */
export const repositoryHref = (name: string): string => {
  const { username, image } = partsOf(name)
  return `/registry/user/${part(username)}/image/${part(image)}`
}
export const tagHref = (name: string, tag: string, digest: string): string =>
  `${repositoryHref(name)}/tag/${part(tag)}/digest/${part(digest)}`

/** What a container names an image by: its tag, the beginning of its digest, or both. */
export function referenceOf(image: string): string {
  const [path = '', digest] = image.slice(image.indexOf('/') + 1).split('@')
  const tag = path.split(':')[1]
  return digest ? [...(tag ? [tag] : []), shortDigest(digest)].join('@') : (tag ?? 'latest')
}

/** As an engine names it, by a tag or a digest. */
export const imageOf = (name: string, reference: string): string =>
  `${registryHost()}/${name}${reference.includes(':') ? '@' : ':'}${reference}`

export const pullCommand = (name: string, reference: string): string => `docker pull ${imageOf(name, reference)}`

export const platformsWords = (platforms: readonly Platform[]): string =>
  platforms.length === 0 ? '—' : platforms.map(platformWords).join(', ')

/** In a narrow column: Linux is not said where all of them are of it. */
export function shortPlatformsWords(platforms: readonly Platform[]): string {
  const words = platformsWords(platforms)
  return platforms.every(({ os }) => os === 'linux') ? words.replaceAll('linux/', '') : words
}

/** The image that something is attached to, as it says itself, or as a tag like `sha256-….sig` does. */
export function subjectOf({ raw, tags }: Pick<Image, 'raw' | 'tags'>): string | null {
  const { subject } = JSON.parse(raw) as { subject?: { digest: string } }
  const [, hex] = tags.map(({ name }) => /^sha256-([0-9a-f]{64})\./.exec(name)).find((found) => found) ?? []
  return subject?.digest ?? (hex === undefined ? null : `sha256:${hex}`)
}

const types: Record<string, string> = {
  'application/vnd.oci.image.index.v1+json': 'Several platforms (OCI)',
  'application/vnd.docker.distribution.manifest.list.v2+json': 'Several platforms (Docker)',
  'application/vnd.oci.image.manifest.v1+json': 'Image (OCI)',
  'application/vnd.docker.distribution.manifest.v2+json': 'Image (Docker)',
}
export const typeWords = (media_type: string): string => types[media_type] ?? media_type

export const devicesWords = (count: number): string => (count === 1 ? '1 device' : `${count.toLocaleString('en')} devices`)

/** What came of having containers run another tag. */
export const deployedWords = ({ changed, in_fleets, agents_too_old }: Reply<typeof deployTag>, tag: string): string =>
  [
    `${changed === 1 ? '1 container is' : `${changed} containers are`} to run ${tag}`,
    ...(in_fleets > 0 ? [`${in_fleets === 1 ? '1 in a fleet stays' : `${in_fleets} in fleets stay`}: publish a version there`] : []),
    ...(agents_too_old > 0
      ? [
          `${agents_too_old === 1 ? '1 stays, because the agent of its device' : `${agents_too_old} stay, because the agent of their device`} is too old for this image: update the agent first`,
        ]
      : []),
  ].join('. ')

/** Why none of the tags that were found can be compared with; `more`: others were found, which are not among them. */
export const noOtherTagWords = (search: string, more: boolean): string => {
  if (more) return 'None of these tags names another image: search for one that does.'
  return search === '' ? 'No other tag of this repository names another image.' : 'No tag of another image is found.'
}

export const imagesWords = (count: number): string => (count === 1 ? '1 image' : `${count.toLocaleString('en')} images`)

export const layersWords = (count: number): string => (count === 1 ? '1 layer' : `${count.toLocaleString('en')} layers`)

export const pullsWords = (count: number): string => (count === 1 ? '1 pull' : `${count.toLocaleString('en')} pulls`)

export const tagsWords = (count: number): string => (count === 1 ? '1 tag' : `${count.toLocaleString('en')} tags`)

/** Of tags, the newest first, those with which one is compared: what was pushed before it comes first. */
export function othersThan<Other extends Pick<Tag, 'name' | 'digest'>>(
  tags: readonly Other[],
  { name, digest }: Pick<Tag, 'name' | 'digest'>
): Other[] {
  const place = tags.findIndex((each) => each.name === name)
  return [...tags.slice(place + 1), ...tags.slice(0, Math.max(0, place))].filter(
    (each) => each.digest !== digest && !/^sha256-[0-9a-f]{64}/.test(each.name)
  )
}
