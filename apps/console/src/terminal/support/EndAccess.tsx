import type { SupportAccess } from '@masthead/contract/terminal/support'
import { endSupport } from '@masthead/contract/terminal/support-operations'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'

/** Whether the access of support to a device is to end now. */
export function EndAccess({ access: { id, staff, asset_name }, onClose }: { access: SupportAccess; onClose: () => void }) {
  return (
    <ConfirmCall
      onClose={onClose}
      operation={endSupport}
      input={{ params: { support_id: id } }}
      title={`End the access of ${staff}?`}
      confirm="End access"
      color="danger"
      done="The access of support is over"
    >
      A terminal that they have open on {asset_name} is closed within 2 seconds.
    </ConfirmCall>
  )
}
