import { platformWords, type Platform } from '@masthead/contract/registry/image'
import { settings } from '../api/settings.ts'

/** Where `docker` reaches the registry: elsewhere, as the installation says, or at the console's own address. */
export const registryHost = (): string => settings.registry ?? window.location.host

/** The name of a repository in two: whose it is, and the image. */
export function partsOf(name: string): { username: string; image: string } {
  const slash = name.indexOf('/')
  return { username: name.slice(0, slash), image: name.slice(slash + 1) }
}

const part = encodeURIComponent
/** Where a repository is shown, by its whole name. */
export const repositoryHref = (name: string): string => {
  const { username, image } = partsOf(name)
  return `/registry/user/${part(username)}/image/${part(image)}`
}
export const tagHref = (name: string, tag: string, digest: string): string =>
  `${repositoryHref(name)}/tag/${part(tag)}/digest/${part(digest)}`

/** As an engine names it. */
export const imageOf = (name: string, tag: string): string => `${registryHost()}/${name}:${tag}`

export const pullCommand = (name: string, tag: string): string => `docker pull ${imageOf(name, tag)}`

export const platformsWords = (platforms: readonly Platform[]): string =>
  platforms.length === 0 ? '—' : platforms.map(platformWords).join(', ')

/** In a narrow column: Linux is not said where all of them are of it. */
export function shortPlatformsWords(platforms: readonly Platform[]): string {
  const words = platformsWords(platforms)
  return platforms.every(({ os }) => os === 'linux') ? words.replaceAll('linux/', '') : words
}

const types: Record<string, string> = {
  'application/vnd.oci.image.index.v1+json': 'Several platforms (OCI)',
  'application/vnd.docker.distribution.manifest.list.v2+json': 'Several platforms (Docker)',
  'application/vnd.oci.image.manifest.v1+json': 'Image (OCI)',
  'application/vnd.docker.distribution.manifest.v2+json': 'Image (Docker)',
}
export const typeWords = (media_type: string): string => types[media_type] ?? media_type

export const devicesWords = (count: number): string => (count === 1 ? '1 device' : `${count.toLocaleString('en')} devices`)

export const imagesWords = (count: number): string => (count === 1 ? '1 image' : `${count.toLocaleString('en')} images`)

export const tagsWords = (count: number): string => (count === 1 ? '1 tag' : `${count.toLocaleString('en')} tags`)
