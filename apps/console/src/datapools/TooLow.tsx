import { Link } from 'react-router'

/** The balance does not cover it, and where credits are added. */
export const TooLow = ({ detail }: { detail: string }) => (
  <>
    {detail}: <Link to="/billing/addcredits">Add credits</Link>
  </>
)
