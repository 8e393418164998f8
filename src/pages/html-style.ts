// The style sheet of the HTML report, for wide and narrow screens, light and dark, and paper. It loads nothing.
import base from "./base.css" with { type: "text" };
import report from "./report.css" with { type: "text" };
import sheet from "./sheet.css" with { type: "text" };

export const REPORT_STYLE = `\n${base}${report}${sheet}`;
