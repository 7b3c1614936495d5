import type { Asset } from '@masthead/contract/assets/asset'
import { registerAsset } from '@masthead/contract/assets/operations'
import { assetAlreadyYours, assetTaken, assetUnknown } from '@masthead/contract/assets/problems'
import { Link, useNavigate } from 'react-router'
import type { Failure } from '../api/client.ts'
import { FormText } from '../kit/FormField.tsx'
import { FormMultiSelect } from '../kit/FormSelect.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { useTags } from '../tags/index.ts'
import { TagMark } from '../ui/Tag.tsx'
import { plain, toast } from '../ui/toast.ts'
import { firstSteps } from './first-steps.ts'

/** Registers an asset by one number, then opens it. `token` is what the number starts with, as from the code on the box. */
export function RegisterAssetModal({ token = '', onClose, replace }: { token?: string; onClose: () => void; replace: boolean }) {
  const tags = useTags() ?? []
  const navigate = useNavigate()
  const open = (asset: Asset) => {
    toast.success(`${plain(asset.name)} is yours now. ${asset.last_seen_at ? '' : firstSteps[asset.type]}`, {
      title: 'Asset registered',
      timeout: 10_000,
    })
    void navigate(`/assets/${asset.id}`, { replace })
  }
  return (
    <FormModal
      open
      onClose={onClose}
      title="Register asset"
      operation={registerAsset}
      values={{ token, tags: [] }}
      submit="Register"
      explain={(failure, { token }) => <RefusalWords failure={failure} token={token} />}
      onDone={open}
    >
      <FormText
        name="token"
        label="Serial number or ICCID"
        hint="On the label of the device or its box; the ICCID is printed on the SIM."
        mono
        spellCheck={false}
        autoCapitalize="off"
      />
      <FormText name="name" label="Name" aside="optional" emptyIsNone placeholder="Your name for it" />
      {tags.length > 0 && (
        <FormMultiSelect
          name="tags"
          label="Tags"
          placeholder="None"
          options={tags.map(({ id, name, color }) => ({ value: id, label: name, mark: <TagMark color={color} /> }))}
        />
      )}
    </FormModal>
  )
}

/** Why it cannot be registered, and what to do then. Who owns a taken one is never said. */
function RefusalWords({ failure, token }: { failure: Failure; token: string }) {
  const said = `${failure.detail.replace(/\.$/, '')}.`
  if (failure.code === assetAlreadyYours.code) {
    return (
      <>
        {said}{' '}
        <Link className="link" to={`/assets/${encodeURIComponent(token.replaceAll(/\s/g, ''))}`}>
          Open it
        </Link>
      </>
    )
  }
  if (failure.code === assetUnknown.code) return <>{said} Compare it with the label, digit by digit.</>
  if (failure.code === assetTaken.code) return <>{said} If you bought it second-hand, ask the seller to release it.</>
  return <>{failure.detail}</>
}
