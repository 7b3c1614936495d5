import { getBalance } from '@masthead/contract/billing/operations'
import { Link } from 'react-router'
import { useDenied } from '../kit/ActionButton.tsx'

/** The balance does not cover it, and where credits are added by whoever reads billing. */
export function TooLow({ detail }: { detail: string }) {
  if (useDenied()(getBalance) !== null) return detail
  return (
    <>
      {detail}: <Link to="/billing/addcredits">Add credits</Link>
    </>
  )
}
