import { dictionary, vendorSpecific } from './dictionary.ts'
import type { Definition } from './dictionary.ts'
import type { Packet } from './packet.ts'
import { wordFor } from './words.ts'

const definitions = new Map<number, Definition<unknown>>()
for (const definition of Object.values(dictionary) as Definition<unknown>[]) definitions.set(keyOf(definition), definition)

function keyOf({ vendor, type }: { vendor: number; type: number }) {
  return vendor * 256 + type
}

// Secrets, and what proves that one knows them.
const hidden = new Set<unknown>([dictionary.user_password, dictionary.chap_password])

/** Every attribute in words, in the packet's order: for a person who looks at a packet, and for quarantine. Passwords are left out. */
export function describe(packet: Packet): { name: string; value: string }[] {
  return packet.attributes.map(({ vendor, type, value }) => {
    const definition = definitions.get(keyOf({ vendor, type }))
    if (!definition) {
      const name = type === vendorSpecific && vendor === 0 ? 'Vendor-Specific' : `Attribute ${vendor === 0 ? '' : `${vendor}.`}${type}`
      return { name, value: `0x${value.toString('hex')}` }
    }
    return { name: definition.name, value: hidden.has(definition) ? '(hidden)' : words(definition, value) }
  })
}

function words({ kind, words: table }: Definition<unknown>, octets: Buffer): string {
  const value = kind.read(octets, 0, octets.length)
  if (value === null || Buffer.isBuffer(value)) return `0x${octets.toString('hex')}`
  if (table && typeof value === 'number') return wordFor(table, value)
  if (kind.name === 'time') return new Date(Number(value) * 1000).toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
