import { PlainHeading, PlainPage } from './PlainPage.tsx'

export default function TermsScreen() {
  return (
    <PlainPage title="Terms of Use" link="terms">
      <p>
        This installation of Masthead is run by the organisation that gave you access to it. Your agreement about the connectivity, its
        prices and its availability is with that organisation.
      </p>
      <PlainHeading>Your account</PlainHeading>
      <p>
        Keep your password to yourself. Give each person of your team an access of their own, with the permissions they need. What is done
        with your access counts as done by you.
      </p>
      <PlainHeading>Your SIMs and devices</PlainHeading>
      <p>
        Use them as the operator and the mobile networks allow. Usage is metered from the reports of the networks. Data limits are enforced,
        and a SIM may be cut off when one is reached.
      </p>
      <PlainHeading>The software</PlainHeading>
      <p>Masthead itself is open source under the Apache License 2.0 and comes without warranty.</p>
    </PlainPage>
  )
}
