import type { Platform } from '@masthead/contract/registry/image'
import { readImage } from '@masthead/contract/registry/image-reference'

/** What an image names: its repository, and a tag or a digest. */
export type NamedImage = { repository: string; tag: string; digest: string | null }

/** An image of the registry at `host`; null: it is from elsewhere, or not whole yet. */
export function ownImage(image: string, host: string): NamedImage | null {
  const { name, tag, digest } = readImage(image) ?? { name: '' }
  const repository = name.startsWith(`${host}/`) ? name.slice(host.length + 1) : ''
  return repository.includes('/') ? { repository, tag: tag ?? 'latest', digest: digest ?? null } : null
}

/** What is there of an image while one types it, to find others like it: of its repository, and of its tag once that is begun. */
export function typedImage(image: string, host: string): { repository: string; tag: string } {
  const own = host.startsWith(image) ? '' : image.startsWith(`${host}/`) ? image.slice(host.length + 1) : image
  const [repository = '', tag = ''] = own.split('@')[0]!.split(':')
  return { repository, tag }
}

/** Without its tag and digest. */
export const withoutTag = (image: string): string => readImage(image)?.name ?? image

/** Whether a processor runs one of the platforms; also where nobody said which they are. Arm of 64 bits runs programs of 32, and so does that of Intel. */
export function fits(platforms: readonly Platform[], architecture: string | null): boolean {
  if (architecture === null || platforms.length === 0) return true
  const runs = { arm64: ['arm64', 'arm'], amd64: ['amd64', '386'] }[architecture] ?? [architecture]
  return platforms.some((each) => each.os === 'linux' && runs.includes(each.architecture))
}
