import * as z from 'zod/mini'

/** A mobile network, by its MCC-MNC. `name` and `country` are null when they are not known. */
export const Network = z.object({
  /** `262-01` */
  mccmnc: z.string(),
  name: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2 */
  country: z.nullable(z.string()),
})
export type Network = z.output<typeof Network>

/** Radio access technologies that networks and groups know, as 3GPP names them, with the words of people. */
export const technologies = { GERAN: '2G', UTRAN: '3G', EUTRAN: 'LTE', 'LTE-M': 'LTE-M', 'NB-IoT': 'NB-IoT', NR: '5G' } as const
export const Technology = z.enum(Object.keys(technologies) as [keyof typeof technologies, ...(keyof typeof technologies)[]])
export type Technology = z.output<typeof Technology>

const kinds: Record<string, Technology> = { 'HSPA+': 'UTRAN', 'NR-U': 'NR' }
/** The technology of a RAT as a gateway reports it; null for what is none of them, like Wi-Fi, and for what is not reported. */
export const technologyOf = (rat: string | null): Technology | null =>
  rat === null ? null : rat in technologies ? (rat as Technology) : (kinds[rat] ?? null)
