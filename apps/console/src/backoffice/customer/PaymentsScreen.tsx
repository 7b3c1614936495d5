import { BackofficeEnd } from '../StayMark.tsx'
import { AllPayments } from './Payments.tsx'

/** Payments by card of all customers. */
export default function PaymentsScreen() {
  return (
    <>
      <BackofficeEnd />
      <AllPayments />
    </>
  )
}
