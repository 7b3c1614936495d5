const brands: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos Australia',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** A card's brand as it is written, from the provider's word for it. */
export const cardBrand = (brand: string) => brands[brand.toLowerCase()] ?? (brand === '' || brand === 'unknown' ? 'Card' : brand)

/** The first moment a card no longer works, in milliseconds: the end of the month MM/YY. Null when it is not that. */
export function cardExpiry(expiration: string): number | null {
  const found = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(expiration)
  return found ? Date.UTC(2000 + Number(found[2]), Number(found[1]), 1) : null
}
