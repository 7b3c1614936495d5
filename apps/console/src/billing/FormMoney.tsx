import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { FormScaled } from '../kit/FormScaled.tsx'

/** An amount of the form around it: read in units of the currency, sent in whole micros. */
export function FormMoney({
  currency,
  min,
  max,
  hint,
  ...named
}: {
  name: string
  label: string
  currency: Currency
  min: number
  max: number
  hint?: string
}) {
  const words = (amount: number) => formatMoney(micros(amount), currency)
  const range = hint ?? `${words(min)} to ${words(max)}`
  return <FormScaled {...named} scale={1e6} unit={currency} hint={range} min={min / 1e6} max={max / 1e6} />
}
