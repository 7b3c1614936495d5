import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getAgent, removeCertificate, setCertificate } from '@masthead/contract/devices/agent/operations'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useClock } from '../../kit/clock.ts'
import { ConfirmButton } from '../../kit/ConfirmCall.tsx'
import { later } from '../../kit/later.tsx'

const CertificateModal = later(() => import('./CertificateModal.tsx').then((file) => file.CertificateModal))

/** The certificate that the device signs in with, if it has one, and another in its place. */
export function DeviceCertificate({ asset }: { asset: Asset }) {
  const [giving, setGiving] = useState(false)
  const { data } = useQuery(q(getAgent, { params: { asset_id: asset.id } }))
  const minute = useClock((now) => Math.floor(now / 60_000)) * 60_000
  if (!data) return <>—</>
  const { certificate } = data
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className={certificate ? '' : 'text-fg-3'}>{certificateWords(certificate, minute)}</span>
      <ActionButton operation={setCertificate} size="small" icon={KeyRound} onClick={() => setGiving(true)}>
        {certificate ? 'Replace certificate' : 'Add certificate'}
      </ActionButton>
      {certificate && (
        <ConfirmButton
          operation={removeCertificate}
          input={{ params: { asset_id: asset.id } }}
          label="Remove certificate"
          icon={Trash2}
          size="small"
          title={`Remove the certificate of ${asset.name}?`}
          confirmColor="danger"
          done="The certificate was removed"
        >
          The connection that was opened with it ends, and the device signs in with its token. An older agent does so once the files of the
          certificate are removed from the device.
        </ConfirmButton>
      )}
      {giving && <CertificateModal asset={asset} onClose={() => setGiving(false)} />}
    </span>
  )
}

function certificateWords(certificate: { ends_at: string | null } | null, now: number): string {
  if (!certificate) return 'None: it signs in with its token'
  const { ends_at } = certificate
  if (ends_at === null) return 'Yes, with an end that is not known'
  return `${Date.parse(ends_at) <= now ? 'Ended' : 'Until'} ${formatExactHere(ends_at)}`
}
