/** The sign of Parlance. */
export const Mark = () => (
  <span className="mark">
    <svg viewBox="0 0 24 24" aria-hidden>
      <path d="M5 10.5v3M8.5 7.5v9M12 9v6M15.5 6.5v11M19 10.5v3" />
    </svg>
  </span>
);
