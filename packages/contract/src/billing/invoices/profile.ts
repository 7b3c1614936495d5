import * as z from 'zod/mini'
import { countries } from '../../networks/countries.ts'

const line = (words: string, most = 100) =>
  z.string({ error: words }).check(z.trim(), z.minLength(1, words), z.maxLength(most, `At most ${most} characters`))

/** What documents have letters for: others would be boxes in them. */
export const documentLetters = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u

/** Whom invoices and receipts are made out to. */
export const BillingProfile = z.object({
  company: line('Enter a name'),
  address: line('Enter a street or a box', 200),
  postal_code: z.nullable(line('Enter a postal code', 20)),
  city: line('Enter a city'),
  country: z.string({ error: 'Choose a country' }).check(z.refine((code) => countries.includes(code), 'Choose a country')),
  /** Of the company, for taxes. */
  tax_id: z.nullable(
    z.string().check(z.trim(), z.regex(/^[A-Za-z0-9][A-Za-z0-9 ./-]{2,30}$/, 'Use letters, digits, spaces, dots and dashes'))
  ),
  /** Invoices and receipts are announced to these. */
  emails: z
    .array(z.email('Enter e-mail addresses'))
    .check(z.minLength(1, 'Enter an e-mail address'), z.maxLength(5, 'At most 5 addresses')),
})
export type BillingProfile = z.output<typeof BillingProfile>

/** "Hamngatan 4, 211 22 Malmö". */
export const addressWords = ({ address, postal_code, city }: Pick<BillingProfile, 'address' | 'postal_code' | 'city'>): string =>
  `${address}, ${[postal_code, city].filter(Boolean).join(' ')}`
