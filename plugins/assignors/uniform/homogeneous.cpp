// Uniform assignment where all members want the same topics: every member keeps what it has up to
// its quota; what is over or has no owner goes to those with room, in order. Linear, flat arrays.
#include "uniform.hpp"

#include <algorithm>
#include <memory>

namespace muster::uniform {
namespace {

struct Vacancy {
  std::uint32_t member;
  std::uint32_t room;
};

class Assignment {
 public:
  Assignment(const sdk::PartitionView& view, std::span<std::uint32_t> owner)
      : members_(view.member_count()),
        current_(view.current_owner()),
        owner_(owner),
        run_first_(std::make_unique_for_overwrite<std::uint32_t[]>(current_.size() + 1)),
        held_(std::make_unique<std::uint32_t[]>(members_ + 1)),
        keeps_(std::make_unique_for_overwrite<std::uint32_t[]>(members_)),
        vacancies_(std::make_unique_for_overwrite<Vacancy[]>(members_)) {}

  void run();

 private:
  bool nothing_is_owned() const;
  void find_runs();
  void count_held();
  void share_out();
  void keep_within_quota();
  void fill_vacancies();
  void fill_vacancies_in_order();

  const std::uint32_t members_;
  const std::span<const std::uint32_t> current_;
  const std::span<std::uint32_t> owner_;
  // Neighbours with the same owner are a run: a sticky assignment has far fewer of them than
  // partitions. First partition of each, and one behind the last.
  const std::unique_ptr<std::uint32_t[]> run_first_;
  std::uint32_t run_count_ = 0;
  // By member: partitions it has now. Behind the members, those that are nobody's.
  const std::unique_ptr<std::uint32_t[]> held_;
  // By member: all_of_them, or how many of its partitions it may still keep. Then held_ becomes
  // the place in the pool for the next partition it must give up.
  const std::unique_ptr<std::uint32_t[]> keeps_;
  const std::unique_ptr<Vacancy[]> vacancies_;  // in member order
  std::uint32_t vacancy_count_ = 0;
  std::uint32_t unowned_ = 0;
  std::uint32_t surplus_ = 0;
  // Partitions to give out: those without an owner, then each member's surplus in member order.
  std::unique_ptr<std::uint32_t[]> pool_;
};

constexpr std::uint32_t all_of_them = UINT32_MAX;

bool Assignment::nothing_is_owned() const {
  constexpr std::size_t block = 256;
  std::size_t at = 0;
  for (; at + block <= current_.size(); at += block) {
    std::uint32_t all = MUSTER_NONE;
    for (std::size_t i = 0; i < block; ++i) all &= current_[at + i];
    if (all != MUSTER_NONE) return false;
  }
  return std::all_of(current_.begin() + at, current_.end(),
                     [](std::uint32_t owner) { return owner == MUSTER_NONE; });
}

void Assignment::find_runs() {
  const std::uint32_t* const owner = current_.data();
  const auto count = static_cast<std::uint32_t>(current_.size());
  std::uint32_t* next = run_first_.get();
  *next++ = 0;
  // Without a branch, as where runs end cannot be predicted, and four at a time.
  const auto step = [&](std::uint32_t p) {
    *next = p;
    next += owner[p - 1] != owner[p] ? 1 : 0;
  };
  std::uint32_t p = 1;
  for (; p + 4 <= count; p += 4) {
    step(p);
    step(p + 1);
    step(p + 2);
    step(p + 3);
  }
  for (; p < count; ++p) step(p);
  *next = count;
  run_count_ = static_cast<std::uint32_t>(next - run_first_.get());
}

void Assignment::count_held() {
  for (std::uint32_t run = 0; run < run_count_; ++run) {
    const std::uint32_t owner = current_[run_first_[run]];
    held_[std::min(owner, members_)] += run_first_[run + 1] - run_first_[run];
  }
  unowned_ = held_[members_];
}

// Quotas in member order. The first members that have more than the minimum get the extra ones;
// one that cannot use its extra passes it on, unless all that follow get one anyway.
void Assignment::share_out() {
  const auto total = static_cast<std::uint32_t>(current_.size());
  const std::uint32_t minimum = total / members_;
  std::uint32_t extras = total % members_;
  for (std::uint32_t m = 0; m < members_; ++m) {
    const std::uint32_t held = held_[m];
    const bool extra = extras > 0 && (held > minimum || members_ - m <= extras);
    const std::uint32_t quota = minimum + (extra ? 1 : 0);
    extras -= extra ? 1 : 0;
    vacancies_[vacancy_count_] = {m, quota - std::min(held, quota)};
    vacancy_count_ += held < quota ? 1 : 0;
    keeps_[m] = held > quota ? quota : all_of_them;
    held_[m] = unowned_ + surplus_;
    surplus_ += held > quota ? held - quota : 0;
  }
}

void Assignment::keep_within_quota() {
  std::copy_n(current_.data(), current_.size(), owner_.data());
  std::uint32_t* pool_next = pool_.get();
  for (std::uint32_t run = 0; run < run_count_; ++run) {
    std::uint32_t p = run_first_[run];
    const std::uint32_t end = run_first_[run + 1];
    const std::uint32_t owner = current_[p];
    if (owner >= members_) {
      while (p < end) *pool_next++ = p++;
    } else if (keeps_[owner] != all_of_them) {
      const std::uint32_t kept = std::min(keeps_[owner], end - p);
      keeps_[owner] -= kept;
      for (p += kept; p < end; ++p) pool_[held_[owner]++] = p;
    }
  }
}

void Assignment::fill_vacancies() {
  const std::uint32_t* next = pool_.get();
  for (std::uint32_t v = 0; v < vacancy_count_; ++v) {
    for (std::uint32_t i = 0; i < vacancies_[v].room; ++i) owner_[*next++] = vacancies_[v].member;
  }
}

// Nothing is owned: the pool is all partitions in order.
void Assignment::fill_vacancies_in_order() {
  std::uint32_t* next = owner_.data();
  for (std::uint32_t v = 0; v < vacancy_count_; ++v) {
    next = std::fill_n(next, vacancies_[v].room, vacancies_[v].member);
  }
}

void Assignment::run() {
  if (nothing_is_owned()) {
    share_out();
    fill_vacancies_in_order();
    return;
  }
  find_runs();
  count_held();
  share_out();
  if (unowned_ + surplus_ == 0) {
    std::copy_n(current_.data(), current_.size(), owner_.data());
    return;
  }
  pool_ = std::make_unique_for_overwrite<std::uint32_t[]>(unowned_ + surplus_);
  keep_within_quota();
  fill_vacancies();
}

}  // namespace

void assign_homogeneous(const sdk::PartitionView& view, std::span<std::uint32_t> owner) {
  Assignment(view, owner).run();
}

}  // namespace muster::uniform
