import { FormScaled } from '../../kit/FormScaled.tsx'

/** A price of the form around it, to the micro: people type the currency, the body has whole micros. */
export const FormPrice = (props: { name: string; label: string; hideLabel?: boolean }) => (
  <FormScaled {...props} scale={1_000_000} decimals={6} />
)
