import { Spinner } from '../ui/Button.tsx'

/** Over everything while another account is being entered (spec §2). */
export function Switching() {
  return (
    <div role="alert" className="switching">
      <Spinner />
      Switching Account
    </div>
  )
}
