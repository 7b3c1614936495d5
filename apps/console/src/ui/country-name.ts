const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** A country's name from its two letters (ISO 3166-1); anything else as it is. */
export const countryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
