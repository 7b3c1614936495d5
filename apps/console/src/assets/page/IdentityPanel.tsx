import type { Asset } from '@masthead/contract/assets/asset'
import { luhnDigit } from '@masthead/contract/assets/iccid'
import type { Sim } from '@masthead/contract/assets/sim'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'

/** Every number the asset and its SIM are known by, to be copied. */
export function IdentityPanel({ asset: { id, serial, sim, sims = [], created_at } }: { asset: Asset }) {
  const others = sims.filter((one) => one.id !== sim?.id)
  return (
    <Panel title="Identity" className="identity">
      <div className="-my-1.5">
        <Facts>
          {sim && <SimNumbers sim={sim} />}
          <Number label="Serial" text={serial} />
          <Number label="Asset ID" text={id} />
          <Fact label="Registered">
            <RelativeTime at={created_at} />
          </Fact>
          {sim && (
            <Fact label="Activated">
              <RelativeTime at={sim.activated_at} />
            </Fact>
          )}
          {others.map((other) => (
            <Fact key={other.id} label="Other SIM">
              <CopyText text={other.iccid} label="ICCID of the other SIM" /> <StatusDot status={other.status} />
            </Fact>
          ))}
        </Facts>
      </div>
    </Panel>
  )
}

const Number = ({ label, text }: { label: string; text: string | null }) => (
  <Fact label={label}>
    <CopyText text={text} label={label} max={20} />
  </Fact>
)

function SimNumbers({ sim: { iccid, imsi, imsis, msisdn, imei, eid } }: { sim: Sim }) {
  const other = otherForm(iccid)
  return (
    <>
      <Number label="ICCID" text={iccid} />
      {other && <Number {...other} />}
      <Number label="IMSI" text={imsi} />
      {imsis
        .filter((one) => one !== imsi)
        .map((one) => (
          <Number key={one} label="Additional IMSI" text={one} />
        ))}
      <Number label="MSISDN" text={msisdn} />
      <Number label="IMEI" text={imei} />
      <Number label="EID" text={eid} />
    </>
  )
}

/** The ICCID without its check digit, or with it when it is printed without. */
function otherForm(iccid: string): { label: string; text: string } | null {
  const short = iccid.slice(0, -1)
  if (short.length >= 18 && luhnDigit(short) === iccid.at(-1)) return { label: 'Without check digit', text: short }
  return iccid.length < 20 ? { label: 'With check digit', text: iccid + luhnDigit(iccid) } : null
}
