import type { Image } from '@masthead/contract/registry/image'
import type { SignatureSummary } from '@masthead/contract/registry/signature'
import { Link } from 'react-router'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { tagHref } from '../registry-words.ts'

/** In a list: whether an image is signed with a key of the account, in the words of its own page; which key is in what it says on hover. */
export const SignatureBadge = ({ of }: { of: SignatureSummary }) =>
  of === null ? <span className="text-fg-3">Not signed</span> : <span title={of.why}>{of.verified ? 'Verified' : 'Not verified'}</span>

/** Each signature of an image, with the verdict of the account's keys. */
export function SignaturesPanel({ image: { signatures, repository }, tag }: { image: Image; tag: string }) {
  return (
    <Panel
      title="Signatures"
      end={
        <Link className="link text-sm" to="/registry/signing-keys">
          Signing keys
        </Link>
      }
      flush
    >
      {signatures.length === 0 && <p className="px-4 py-3 text-sm text-fg-2">No signature is attached to this image.</p>}
      <ul className="divide-y divide-line">
        {signatures.map((each, n) => (
          <li key={`${each.digest} ${n}`} className="grid justify-items-start gap-1 px-4 py-2.5">
            <Badge tone={each.verdict === 'verified' ? 'ok' : each.verdict === 'other_image' ? 'bad' : 'warn'}>
              {each.verdict === 'verified' ? 'Verified' : 'Not verified'}
            </Badge>
            <span className="max-w-full text-sm wrap-anywhere">{each.why}.</span>
            <span className="text-xs text-fg-3">
              <Link className="hover:underline" to={tagHref(repository, tag, each.digest)}>
                {each.of === 'image' ? 'Signature' : 'Signed attestation'}
              </Link>
              , pushed <RelativeTime at={each.pushed_at} /> by {each.pushed_by}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
