import * as z from 'zod/mini'

const inside =
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(1[6-9]|2\d|3[01])\.\d+\.\d+|[a-z0-9_-]+)$/i

/** HTTPS, or a host that others do not see: this machine, a private address, or a name without a dot, as containers have among themselves. */
const isKept = (text: string) => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || inside.test(url.hostname))
}

const where = (words: string) =>
  z.optional(z.string().check(z.regex(/^https?:\/\/[^\s/?#;,'"@]+(\/[^\s?#;,'"]*)?$/i, words), z.refine(isKept, words)))

const places = 'a whole number from 1 to 50'

/** The variables of a scanner that speaks the pluggable scanner interface (Scanner Adapter API 1.x). */
export const ScannerVariables = z.object({
  SCANNER_URL: where('the address of a scanner’s adapter, like https://scanner.example.com; without https only in a private network'),
  SCANNER_AUTHORIZATION: z.optional(
    z
      .string()
      .check(z.regex(/^(Basic|Bearer) [\w.~+/=-]{1,4000}$/i, 'what the scanner asks for in the header Authorization, like Bearer …'))
  ),
  SCANNER_REGISTRY_URL: where('the address at which the scanner reaches this registry; without https only in a private network'),
  SCANNER_AT_ONCE: z._default(
    z.pipe(
      z.string().check(z.regex(/^\s*\d+\s*$/, places)),
      z.pipe(z.transform(Number), z.number({ error: places }).check(z.minimum(1, places), z.maximum(50, places)))
    ),
    2
  ),
})

/** A scanner of images. */
export type Scanner = {
  /** Without a slash at its end and without `/api/v1`. */
  url: string
  /** The header that it asks for. */
  authorization: string | undefined
  /** The origin at which it pulls from us. */
  registry: string
  /** Images that are scanned at once, over all processes. */
  atOnce: number
}

type Given = z.output<typeof ScannerVariables> & { MASTHEAD_PUBLIC_URL?: string | undefined }

export function scannerMistakes(e: Given): string[] {
  if (!e.SCANNER_URL)
    return e.SCANNER_AUTHORIZATION || e.SCANNER_REGISTRY_URL ? ['SCANNER_URL must be set too: the address of the scanner'] : []
  return e.SCANNER_REGISTRY_URL || e.MASTHEAD_PUBLIC_URL
    ? []
    : ['SCANNER_REGISTRY_URL must be set too, or MASTHEAD_PUBLIC_URL: the address at which the scanner pulls images from here']
}

export function scannerOf(e: Given): Scanner | null {
  const registry = e.SCANNER_REGISTRY_URL ?? e.MASTHEAD_PUBLIC_URL
  if (!e.SCANNER_URL || !registry) return null
  return {
    url: e.SCANNER_URL.replace(/\/+$/, '').replace(/\/api\/v1$/, ''),
    authorization: e.SCANNER_AUTHORIZATION,
    registry: new URL(registry).origin,
    atOnce: e.SCANNER_AT_ONCE,
  }
}
