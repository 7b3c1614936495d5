const digest = 'sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}'
/** The digests that the registry counts with, and engines know. */
export const digestPattern = new RegExp(`^(?:${digest})$`)

const part = '[a-z0-9]+(?:[._-]+[a-z0-9]+)*'
/** An image as engines take it: its name with the host before it, a tag, and a digest. */
export const imagePattern = new RegExp(`^((?:${part}(?::\\d{1,5})?/)?${part}(?:/${part})*)(?::(\\w[\\w.-]{0,127}))?(?:@(${digest}))?$`, 'i')

/** `name`: with the host, as it is written before the tag. */
type ImageReference = { name: string; tag: string | null; digest: string | null }

/** `registry.example.com:5000/acme/relay:2.4@sha256:…` in its parts; null: it is none, or not whole yet. */
export function readImage(image: string): ImageReference | null {
  const [, name, tag, of] = imagePattern.exec(image) ?? []
  return name === undefined ? null : { name, tag: tag ?? null, digest: of ?? null }
}
